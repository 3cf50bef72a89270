import { type Request, rest, type Scenario, thrift2 } from './case.ts'
import { Exchanger, type Target } from './exchange.ts'

/** Runs a scenario's cases in order on a server; yields the exchange of each, or the error that ended it. */
export async function runScenario(
  scenario: Scenario,
  target: Target,
  timeoutMs: number,
): Promise<Map<string, string>> {
  const exchanger = new Exchanger(target, timeoutMs)
  const exchanges = new Map<string, string>()
  try {
    await cleanUp(exchanger, scenario)
    for (const request of scenario.setup) await mustSucceed(exchanger, request)
    for (const { id, requests } of scenario.cases) {
      if (exchanges.has(id)) throw new Error(`two cases are called ${id}`)
      exchanges.set(id, await runCase(exchanger, requests))
    }
    await cleanUp(exchanger, scenario)
  } finally {
    exchanger.close()
  }
  return exchanges
}

async function runCase(exchanger: Exchanger, requests: readonly Request[]): Promise<string> {
  const parts: string[] = []
  for (const request of requests) {
    try {
      parts.push(await exchanger.send(request))
    } catch (error) {
      parts.push(`< no answer: ${error instanceof Error ? error.message : String(error)}`)
      break
    }
  }
  return parts.join('\n').trimEnd()
}

async function mustSucceed(exchanger: Exchanger, request: Request): Promise<void> {
  const exchange = await exchanger.send(request)
  const failed =
    request.door === 'rest'
      ? !/^< 20\d/m.test(exchange)
      : /^< T?[A-Z]\w*(Error|Exception|Argument|Exists)/m.test(exchange)
  if (failed) throw new Error(`a setup request failed:\n${exchange}`)
}

/** Drops what an earlier run may have left. */
async function cleanUp(exchanger: Exchanger, { tables, namespaces }: Scenario): Promise<void> {
  for (const table of tables) await exchanger.send(rest('DELETE', `/${encodeURIComponent(table)}/schema`))
  for (const namespace of namespaces) await exchanger.send(thrift2('deleteNamespace', { name: namespace }))
}
