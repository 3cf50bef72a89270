import type { IncomingMessage } from 'node:http'
import type { Principal } from '../../store/call.ts'

/** Who has shown who he is, and who has not; nobody is in it where everybody may come in. */
export type Visitors = WeakMap<IncomingMessage, Principal | 'stranger'>
