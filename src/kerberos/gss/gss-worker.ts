/** The program of a thread that calls GSSAPI: one order after the other. */

import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../../model/error-reason.ts'
import { carryOut } from './gss-calls.ts'
import { GssLibrary } from './gss-library.ts'
import type { Report, Sent } from './gss-orders.ts'

let library: GssLibrary | undefined

function reportOf({ id, order, until }: Sent): Report {
  // The owner has given up, but memory is given back all the same.
  if (Date.now() >= until && order.kind !== 'release' && order.kind !== 'drop')
    return { id, failure: 'it has waited too long' }
  try {
    library ??= new GssLibrary()
    return { id, outcome: carryOut(library, order) }
  } catch (error) {
    return { id, failure: reasonOf(error) }
  }
}

/** The memory of a message, where it is its own, moves to the owner. */
function movedIn(report: Report): ArrayBuffer[] {
  const message =
    'outcome' in report && report.outcome !== undefined && 'message' in report.outcome
      ? report.outcome.message
      : undefined
  return message !== undefined && message.byteLength === message.buffer.byteLength ? [message.buffer] : []
}

parentPort!.on('message', (sent: Sent) => {
  const report = reportOf(sent)
  parentPort!.postMessage(report, movedIn(report))
})
