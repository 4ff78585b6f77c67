/** The yardstick of the engine bench, as a process: two sockets, every message of one goes to the other, unread. */
import { type WebSocket, WebSocketServer } from "ws";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
const sockets: WebSocket[] = [];

server.on("connection", (socket) => {
  const place = sockets.push(socket) - 1;
  socket.on("message", (message: Buffer) => sockets[place ^ 1]?.send(message, { binary: false }));
});
server.on("listening", () => process.send?.((server.address() as { port: number }).port));
process.on("disconnect", () => process.exit(0));
