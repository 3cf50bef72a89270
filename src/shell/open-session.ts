/** Opens a session of the shell on a store. */

import { parseTableName } from '../model/table-name.ts'
import { type Call, type LoginMethod, OWN_CALL } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import { COMMANDS } from './commands/command-groups.ts'
import type { KnownNames } from './completion.ts'
import type { CommandContext } from './context/command.ts'
import type { ServerCalls } from './context/server-calls.ts'
import { DataFormatter, type DataOutput } from './output/data-formatter.ts'
import { Formatter, type Output } from './output/formatter.ts'
import { Session } from './session.ts'

export interface ShellConfig {
  readonly store: Store
  readonly servers: ServerCalls | undefined
  readonly output: Output
  /** The output is data for programs; undefined: texts for people. */
  readonly data?: DataOutput | undefined
  readonly user: string
  /** The proof by which the servers know the user; undefined: they take the name without one. */
  readonly method?: LoginMethod | undefined
  readonly version: string
  /** True: the session continues after failures. */
  readonly isForgiving: boolean
  /** True: Ctrl-C ends the session with the running command, as that of a script. */
  readonly endsAtInterrupt?: boolean
  /** Gets remarks that are no part of the output. */
  readonly warn?: (text: string) => void
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** The next line of the input, as the answer to a question; undefined: the input has ended. */
  readonly ask: () => Promise<string | undefined>
  /** Opens the cluster of a key of a replication peer; undefined: the shell opens no other cluster. */
  readonly openCluster?: (clusterKey: string) => Promise<Store>
}

export interface OpenedShell {
  readonly session: Session
  readonly context: CommandContext
  /** Ends the running command. */
  interrupt(): void
  readonly names: KnownNames
}

export function openShell(config: ShellConfig): OpenedShell {
  const { store, servers, output, user, method = 'SIMPLE', version, ask } = config
  let stop = new AbortController()
  const callNow = (): Call => ({ ...OWN_CALL, principal: { user }, signal: stop.signal })
  const context: CommandContext = {
    store,
    servers,
    out: config.data === undefined ? new Formatter(output) : new DataFormatter(output, config.data),
    get call(): Call {
      return callNow()
    },
    user,
    method,
    version,
    ask,
    openCluster: config.openCluster,
    warn: config.warn ?? (() => undefined),
    sleep: (milliseconds) => config.sleep(milliseconds, stop.signal),
  }
  const { now, isForgiving, endsAtInterrupt } = config
  const session = new Session({ context, output, commands: COMMANDS, now, isForgiving, endsAtInterrupt })
  const interrupt = (): void => {
    stop.abort()
    stop = new AbortController()
  }
  return { session, context, interrupt, names: knownNames(context) }
}

/** Names for completion. Failures to read them are ignored. */
function knownNames(context: CommandContext): KnownNames {
  const { catalog } = context.store
  return {
    commands: [...COMMANDS.keys()].sort(),
    tables: async () => {
      try {
        return (await catalog.listTables(context.call, 'names')).map(({ name }) => name)
      } catch {
        return []
      }
    },
    families: async (table) => {
      try {
        const { families } = await catalog.table(parseTableName(table), context.call)
        return families.map(({ name }) => name.toString())
      } catch {
        return []
      }
    },
  }
}
