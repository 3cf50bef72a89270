import { setImmediate as nextTurn } from 'node:timers/promises'
import { messageOf } from '../../../src/model/message-of.ts'
import { type Request, rest, type Scenario, thrift2 } from './case.ts'
import { Exchanger, type Target } from './exchange.ts'

/** Marks an exchange that the server did not end: it hung, died or broke its protocol. */
export const NO_ANSWER = '< no answer: '

/** After so many cases in a row without an answer the server counts as dead, and the other cases fail at once. */
export const SILENT_CASES_MAX = 5

export const SERVER_IS_SILENT: string = `${NO_ANSWER}the server has not answered for a while`

/** Makes and drops a scenario's tables, where the user of its cases may not. */
export interface TableKeeper {
  /** The same server, as another user. */
  readonly target: Target
  /** Called when the tables are set up, before the first case. */
  readonly prepared: () => Promise<void>
}

/**
 * Runs a scenario's cases in order on a server. Yields the exchange of each, also where the server fails; if the scenario's
 * tables cannot be set up, all cases report why.
 */
export async function runScenario(
  scenario: Scenario,
  target: Target,
  timeoutMs: number,
  keeper?: TableKeeper,
): Promise<Map<string, string>> {
  const exchanger = new Exchanger(target, timeoutMs, scenario)
  const keeping = keeper === undefined ? exchanger : new Exchanger(keeper.target, timeoutMs, scenario)
  try {
    await cleanUp(keeping, scenario)
    for (const request of scenario.setup) await mustSucceed(keeping, request)
    await keeper?.prepared()
    const exchanges = new Map<string, string>()
    let silent = 0
    for (const { id, requests } of scenario.cases) {
      const exchange = silent < SILENT_CASES_MAX ? await runCase(exchanger, requests) : SERVER_IS_SILENT
      silent = exchange.includes(NO_ANSWER) ? silent + 1 : 0
      exchanges.set(id, exchange)
      if (isDelete(requests.at(-1))) await nextMillisecond()
    }
    await cleanUp(keeping, scenario)
    return exchanges
  } catch (error) {
    const reason = messageOf(error)
    return new Map(
      scenario.cases.map(({ id }) => [id, `${NO_ANSWER}the scenario could not be set up: ${reason}`]),
    )
  } finally {
    exchanger.close()
    keeping.close()
  }
}

async function runCase(exchanger: Exchanger, requests: readonly Request[]): Promise<string> {
  const parts: string[] = []
  for (const request of requests) {
    try {
      parts.push(await exchanger.send(request))
    } catch (error) {
      parts.push(NO_ANSWER + messageOf(error))
      break
    }
  }
  return parts.join('\n').trimEnd()
}

function isDelete(request: Request | undefined): boolean {
  if (request === undefined) return false
  if (request.door === 'rpc') return request.method === 'Mutate' || request.method === 'Multi'
  return request.door === 'rest' ? request.method === 'DELETE' : request.method.startsWith('delete')
}

/** A tombstone hides what the next case would write in the same millisecond. Only a server on this machine is so fast. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await nextTurn()
}

async function mustSucceed(exchanger: Exchanger, request: Request): Promise<void> {
  const exchange = await exchanger.send(request)
  const wanted =
    request.door === 'rest' ? /^< 20\d/m : /^< (?!T?[A-Z]\w*(?:Error|Exception|Argument|Exists)\b)/m
  if (!wanted.test(exchange)) throw new Error(`a setup request failed:\n${exchange}`)
}

/** Drops what an earlier run may have left. */
async function cleanUp(exchanger: Exchanger, { tables, namespaces }: Scenario): Promise<void> {
  for (const table of tables) await exchanger.send(rest('DELETE', `/${encodeURIComponent(table)}/schema`))
  for (const namespace of namespaces) await exchanger.send(thrift2('deleteNamespace', { name: namespace }))
}
