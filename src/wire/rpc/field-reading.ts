import type { Steps } from '../../model/steps.ts'
import type { MessageReader } from './message-reader.ts'

/** Gathers the fields of one message. */
export interface FieldReading {
  /** Reads the value of the field at which the reader stands. Throws Unread before anything is gathered of it. */
  take(reader: MessageReader): void
  /** Work behind the last field that would take long; undefined: there is none. */
  settle?(): Steps<void> | undefined
}
