import type { StartReader } from './start-reader.ts'

/** The talk with a server before the first request. */
export interface StartTalk {
  readonly reader: StartReader
  send(bytes: Buffer): void
  /** From now on the server has the time of a connection attempt for `what`. The connection ends after it. */
  expect(what: string): void
}
