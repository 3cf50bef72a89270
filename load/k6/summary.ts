/** The figures that k6 reports of a run, and those of the runs of all sides together. */

interface K6Metric {
  readonly values: Readonly<Record<string, number>>
}

export interface K6Summary {
  readonly metrics: Readonly<Record<string, K6Metric>>
}

/** One scenario on one server. */
export interface RestFigures {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** The part of the requests that failed, and of the checks. */
  readonly failed: number
  readonly wrong: number
}

/** Figures by scenario, then by side. */
export type RestResults = ReadonlyMap<string, ReadonlyMap<string, RestFigures>>

/** The side that the others are compared with. */
export const REFERENCE = 'hbase'

const FAILED_MAX = 0.0001

/** The figures of a run. Throws if k6 has not reported one of them: then it made no request. */
export function figuresOf({ metrics }: K6Summary): RestFigures {
  const value = (metric: string, name: string): number => {
    const found = metrics[`${metric}{scenario:rest}`]?.values[name]
    if (found === undefined) throw new Error(`k6 tells no ${name} of ${metric}`)
    return found
  }
  return {
    requestsPerSecond: value('http_reqs', 'rate'),
    p50Ms: value('http_req_duration', 'med'),
    p95Ms: value('http_req_duration', 'p(95)'),
    p99Ms: value('http_req_duration', 'p(99)'),
    failed: value('http_req_failed', 'rate'),
    wrong: 1 - value('checks', 'rate'),
  }
}

/** The means of several rounds; of failures the worst. */
export function meanOf(rounds: readonly RestFigures[]): RestFigures {
  const mean = (figure: keyof RestFigures): number =>
    rounds.reduce((sum, round) => sum + round[figure], 0) / rounds.length
  return {
    requestsPerSecond: mean('requestsPerSecond'),
    p50Ms: mean('p50Ms'),
    p95Ms: mean('p95Ms'),
    p99Ms: mean('p99Ms'),
    failed: Math.max(...rounds.map(({ failed }) => failed)),
    wrong: Math.max(...rounds.map(({ wrong }) => wrong)),
  }
}

/** The faults: errors on any side of ours, and a p99 above the reference's, where that ran. */
export function faultsOf(results: RestResults): string[] {
  const faults: string[] = []
  for (const [scenario, sides] of results) {
    const reference = sides.get(REFERENCE)
    for (const [side, { failed, wrong, p99Ms }] of sides) {
      if (side === REFERENCE) continue
      const name = `${scenario} on ${side}`
      if (failed > FAILED_MAX) faults.push(`${name}: ${(failed * 100).toFixed(2)} % of the requests failed`)
      if (wrong > FAILED_MAX) faults.push(`${name}: ${(wrong * 100).toFixed(2)} % of the checks did not hold`)
      if (reference !== undefined && p99Ms > reference.p99Ms) {
        faults.push(`${name}: p99 ${p99Ms.toFixed(2)} ms, and HBase's is ${reference.p99Ms.toFixed(2)} ms`)
      }
    }
  }
  return faults
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** A table of Markdown. */
export function restTable(results: RestResults): string {
  const head = ['scenario', 'server', 'requests/s', 'p50 ms', 'p95 ms', 'p99 ms', 'failed', 'times HBase']
  const lines = [row(head), row(head.map((_, i) => (i < 2 ? '---' : '---:')))]
  for (const [scenario, sides] of results) {
    const reference = sides.get(REFERENCE)
    for (const [side, figures] of sides) {
      const { requestsPerSecond, p50Ms, p95Ms, p99Ms, failed } = figures
      const times =
        reference === undefined ? '' : (requestsPerSecond / reference.requestsPerSecond).toFixed(1)
      const millis = [p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(2))
      lines.push(row([scenario, side, requestsPerSecond.toFixed(0), ...millis, failed.toFixed(4), times]))
    }
  }
  return lines.join('\n')
}
