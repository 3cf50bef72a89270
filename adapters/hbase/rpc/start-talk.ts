import type { StartReader } from './start-reader.ts'

/** The talk with a server before the first request. */
export interface StartTalk {
  readonly reader: StartReader
  send(bytes: Buffer): void
  /** From now on `what` has the time of an attempt to connect. The connection ends after it: `no WHAT within 10000 ms`. */
  expect(what: string): void
}
