/** `tidegate promote`: has a standby lead. */

import { type Command, InvalidArgumentError } from 'commander'
import { HBaseError } from '../../model/errors.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Promotion } from '../../store/standby.ts'
import { parseDurationMs } from '../flags/duration.ts'
import { addLoginOptions, type LoginFlags, readLogin } from '../remote/login-options.ts'
import { openServer } from '../remote/open-server.ts'
import { OutageReporter } from '../remote/outage-reporter.ts'
import { parseServerAddress, type ServerAddress } from '../remote/server-address.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'

interface PromoteFlags extends LoginFlags {
  readonly address: NamedAddress
  readonly sameIdentity?: true
  readonly wait?: number
  readonly json?: true
}

interface NamedAddress {
  readonly server: ServerAddress
  readonly text: string
}

/** The time that `--wait` alone means. */
const WAIT_MS = 30_000
/** A promotion lasts so much longer at the most, where the leader hangs. */
const ANSWER_MS = 60_000
const RETRIES_MAX = 3

export function addPromoteCommand(program: Command): void {
  const command = program
    .command('promote')
    .description('have a standby lead: it follows no more, and takes changes from then on (docs/standby.md)')
    .requiredOption('--address <address>', 'rpc:HOST:PORT of the standby', parseAddress)
    .option(
      '--wait [duration]',
      'first the leader takes no more changes, and all that it has are applied, so that nothing is lost: 30s, or as stated',
      parseDurationMs,
    )
    .option(
      '--same-identity',
      "keep the cluster id of the leader, and its replication peers as they are; else the standby's own id stays, and the peers are disabled",
    )
    .option('--json', 'print what is known of the loss as an object')
  addLoginOptions(command)
    .addHelpText('after', '\nExit codes: 0 where it leads, 2 where it does not.')
    .exitOverride()
    .action((flags: PromoteFlags) => runTool(() => promote(flags)))
}

function parseAddress(text: string): NamedAddress {
  const server = parseServerAddress(text)
  if (server.kind !== 'cluster') throw new InvalidArgumentError('It must be rpc:HOST:PORT.')
  return { server, text }
}

async function promote(flags: PromoteFlags): Promise<number> {
  const { address, sameIdentity: keepsIdentity = false, wait, json } = flags
  const login = await readLogin(flags, [address.server])
  const outage = new OutageReporter(address.text)
  const onRetry = (reason: string): void => outage.failed(reason)
  const waitMs = (wait as number | true | undefined) === true ? WAIT_MS : (wait ?? 0)
  // A repeated promotion is refused: the answer to the first one counts.
  const answerMs = waitMs + ANSWER_MS
  const demands = { retriesMax: RETRIES_MAX, isImpatient: false, answerMs, warn: printProgress, onRetry }
  const { store } = await openServer(address.server, login, demands, (level, message) => {
    if (level === 'warn' || level === 'error') printProgress(`${address.text}: ${message}`)
  })
  try {
    const { standby } = store.upkeep
    if (standby === undefined) throw new HBaseError('UNSUPPORTED', `${address.text} is no Tidegate`)
    const promotion = await standby.promote({ keepsIdentity, waitMs }, OWN_CALL)
    if (json === true) printLine(JSON.stringify({ kind: 'promoted', address: address.text, ...promotion }))
    else print(address.text, promotion)
    return EXIT_FINE
  } finally {
    outage.end()
    await store.close()
  }
}

function print(address: string, { state, loss, disabledPeers }: Promotion): void {
  printLine(`${address} leads in the epoch ${state.epoch}, as cluster ${state.clusterId}: ${loss}`)
  if (disabledPeers.length > 0)
    printLine(
      `replication peers are disabled: ${disabledPeers.join(', ')}. enable_peer in the shell enables them`,
    )
}
