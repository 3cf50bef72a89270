/** The shape of a shell command, and the context that it runs in. */

import type { Call, LoginMethod } from '../../store/call.ts'
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
  /** The user's name, as the servers get it. */
  readonly user: string
  /** The login, as `whoami` prints it: SIMPLE where the user proves nothing. */
  readonly method: LoginMethod | 'SIMPLE'
  /** The text that `version` prints. */
  readonly version: string
  /** The next line of the input, as the answer to a question; undefined: the input has ended. */
  readonly ask: () => Promise<string | undefined>
  /** Opens the cluster of a key, `HOSTS:PORT:/ZNODE`; the caller closes it. Undefined: the shell opens no other cluster. */
  readonly openCluster?: ((clusterKey: string) => Promise<Store>) | undefined
  /** Gets remarks that are no part of the output. */
  readonly warn: (text: string) => void
  /** Waits until the time is over or the user interrupts. */
  sleep(milliseconds: number): Promise<void>
}

export interface ShellCommand {
  readonly name: string
  /** The least and the greatest number of arguments; undefined: no limit. */
  readonly min: number
  readonly max: number | undefined
  /** True: table references have the command as a method, with the table as its first argument. */
  readonly ofTable?: boolean
  /** Runs the command. Returns the value to print after `=> `; nil or undefined prints nothing. */
  run(context: CommandContext, args: readonly Value[]): Promise<Value | void>
}

export interface CommandGroup {
  readonly name: string
  readonly title: string
  readonly commands: readonly ShellCommand[]
  /** A text to print below the help of the group; absent: none. */
  readonly comment?: string
}
