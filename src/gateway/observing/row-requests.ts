/** Requests of rows and of batches of scanners, for interceptors that measure or limit them. */

import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { HandoutId, Handouts, OpenScanner } from '../../store/handouts.ts'
import type { Around, Interceptor } from '../../store/interceptors.ts'
import type { Rows } from '../../store/rows.ts'
import { type Target, targetTable } from '../../store/target.ts'

type Asked = Rows & Pick<Handouts, 'next'>
export type RowMethod = keyof Asked
export type ArgumentsOf<Method extends RowMethod> = Parameters<Asked[Method]>
export type AnswerOf<Method extends RowMethod> = Awaited<ReturnType<Asked[Method]>>

/** Functions that make a value of a request, one for each method, from its answer and its arguments. */
export type OfRequests<Known> = {
  readonly [Method in RowMethod]: (answer: AnswerOf<Method>, ...args: ArgumentsOf<Method>) => Known
}

/** An open scanner: its table, and the batches and rows that it has returned so far. */
export interface OpenScan {
  readonly table: TableName
  batches: number
  rows: number
}

export interface RowRequest {
  readonly method: RowMethod
  /** The table; undefined for a batch of a scanner that is not open. */
  readonly table: TableName | undefined
  readonly call: Call
  /** All arguments of the method. */
  readonly args: readonly unknown[]
  /** The scanner of `next` before the batch; undefined for other requests. */
  readonly scan?: OpenScan | undefined
}

/** Runs the request by `next`, with the call that `next` gets, and returns the answer. */
export type AroundRows = (request: RowRequest, next: (call: Call) => Promise<unknown>) => Promise<unknown>

export function knownOf<Known>(of: OfRequests<Known>, { method, args }: RowRequest, answer: unknown): Known {
  return (of[method] as (answer: unknown, ...args: readonly unknown[]) => Known)(answer, ...args)
}

/** `isLeftOut`: true for a call whose requests pass unseen. */
export function rowRequests(
  around: AroundRows,
  isLeftOut: (call: Call) => boolean = () => false,
): Interceptor {
  const scans = new Map<HandoutId, OpenScan>()
  const closing: Around = (call, [id], next) => {
    scans.delete(id as HandoutId)
    return next(call)
  }
  return ({ facet, method }) => {
    if (facet === 'handouts' && method === 'closeScanner') return closing
    if (facet === 'handouts' && method === 'next') return batch
    if (facet !== 'rows') return undefined
    return (call, args, next) => {
      const run = next as (call: Call) => Promise<unknown>
      const table = targetTable(args[0] as Target)
      const noted = method === 'openScanner' ? (call: Call) => opened(run(call), table) : run
      if (isLeftOut(call!)) return noted(call!)
      return around({ method: method as RowMethod, table, call: call!, args }, noted)
    }
  }

  async function opened(opening: Promise<unknown>, table: TableName): Promise<unknown> {
    const scanner = (await opening) as OpenScanner
    scans.set(scanner.id, { table, batches: 0, rows: 0 })
    return scanner
  }

  async function batch(
    call: Call | undefined,
    args: readonly unknown[],
    next: (call: Call) => unknown,
  ): Promise<unknown> {
    const run = next as (call: Call) => Promise<unknown>
    if (isLeftOut(call!)) return run(call!)
    const scan = scans.get(args[0] as HandoutId)
    const answer = await around({ method: 'next', table: scan?.table, call: call!, args, scan }, run)
    if (scan !== undefined) {
      const { results, ended } = answer as AnswerOf<'next'>
      scan.batches++
      scan.rows += results.counts.length
      if (ended === 'scan') scans.delete(args[0] as HandoutId)
    }
    return answer
  }
}
