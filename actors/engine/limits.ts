/**
 * What one peer, and all of them together, may make the engine hold. Each limit is far above what honest workers need; reaching one
 * ends the connection (or refuses the call) with a readable reason instead of filling the memory.
 */
const MIB = 1024 * 1024;

export interface EngineLimits {
  /** Bytes of one incoming message. The real engine ends a connection above this too. */
  readonly messageBytes: number;
  readonly connections: number;
  /** Bytes waiting for one peer at which those who write to it are no longer read, and at which they are read again. */
  readonly pauseBytes: number;
  readonly resumeBytes: number;
  /** How long such a peer may take nothing at all before it is disconnected, in milliseconds. */
  readonly stallMs: number;
  /** Bytes waiting for one peer, and for all, at which a peer is disconnected at once. */
  readonly outboundBytes: number;
  readonly outboundTotalBytes: number;
  /** Bytes of registrations (functions, trigger types, triggers) of one connection, and of all. */
  readonly retainedBytes: number;
  readonly retainedTotalBytes: number;
  /** Calls of one connection that wait for their answer. */
  readonly openCalls: number;
  /** Calls of one connection to asynchronous built-ins in progress, above which it isn't read. */
  readonly busyBuiltins: number;
  /** Streaming channels, and bytes that wait in one for its reader. */
  readonly channels: number;
  readonly channelBytes: number;
}

export const LIMITS: EngineLimits = {
  messageBytes: 16 * MIB,
  connections: 10_000,
  pauseBytes: 4 * MIB,
  resumeBytes: MIB,
  stallMs: 30_000,
  outboundBytes: 64 * MIB,
  outboundTotalBytes: 256 * MIB,
  retainedBytes: 64 * MIB,
  retainedTotalBytes: 128 * MIB,
  openCalls: 50_000,
  busyBuiltins: 256,
  channels: 256,
  channelBytes: MIB,
};
