/** A WebSocket of the ws library as the rest of the engine sees it. */
import type { WebSocket } from "ws";
import type { ConnectionSocket } from "./connections.js";

/** How long a peer may take to answer a goodbye. */
const CLOSING_MS = 1_000;

export function connectionSocket(socket: WebSocket, remoteAddress: string | null): ConnectionSocket {
  return {
    remoteAddress,
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    send: (message, isBinary, done) => socket.send(message, { binary: isBinary }, done),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: (code, reason) => {
      socket.close(code, reason);
      // A paused socket would never see the answer.
      socket.resume();
      setTimeout(() => socket.terminate(), CLOSING_MS).unref();
    },
  };
}
