/** The shape of a shell command, and the context that it runs in. */

import type { Call } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import type { Formatter } from '../output/formatter.ts'
import type { Value } from '../ruby/values.ts'
import type { ServerCalls } from './server-calls.ts'

export interface CommandContext {
  readonly store: Store
  /** Undefined where the store is no cluster. */
  readonly servers: ServerCalls | undefined
  readonly out: Formatter
  readonly call: Call
  /** The user's name, as the servers hear it. */
  readonly user: string
  /** What `version` prints. */
  readonly version: string
  /** The next line of the input, for a question; undefined: it has ended. */
  readonly ask: () => Promise<string | undefined>
  /** Waits, unless the user interrupts. */
  sleep(milliseconds: number): Promise<void>
}

export interface ShellCommand {
  readonly name: string
  /** Fewest and most arguments; undefined: no most. */
  readonly min: number
  readonly max: number | undefined
  /** True: a reference of a table has it as a method, whose first argument is the table. */
  readonly ofTable?: boolean
  /** Answers what is printed behind `=> `; nil, or nothing, prints nothing. */
  run(context: CommandContext, args: readonly Value[]): Promise<Value | void>
}

export interface CommandGroup {
  readonly name: string
  readonly title: string
  readonly commands: readonly ShellCommand[]
  /** Printed below the help of the group. */
  readonly comment?: string
}
