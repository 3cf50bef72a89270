/** A thread that makes a large body of the kind that its worker data names, and sends it so many times. */

import { parentPort } from 'node:worker_threads'
import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { type LargeBody, largeBodies } from './large-body-kinds.ts'

export interface SendOrder {
  readonly ports: { readonly rest: number; readonly thrift: number }
  readonly table: string
  /** Of the kind. */
  readonly index: number
  /** 0: make the body only. */
  readonly rounds: number
}

export interface SendReport {
  /** The last answer, shortened. */
  readonly answer: string
}

let made: { readonly index: number; readonly body: LargeBody } | undefined

async function send(ports: SendOrder['ports'], body: LargeBody): Promise<string> {
  if (body.kind === 'thrift') {
    const reply = await askOnce(ports.thrift, body.frame, isWholeFrame)
    // An error's text is at the reply's end.
    return reply.length < 60
      ? 'done'
      : reply
          .subarray(-60)
          .toString('latin1')
          .replaceAll(/[^ -~]/g, '')
  }
  const answer = await fetch(`http://127.0.0.1:${ports.rest}${body.path}`, {
    method: 'PUT',
    headers: { 'Content-Type': body.contentType },
    body: new Uint8Array(body.bytes),
  })
  return `${answer.status} ${(await answer.text()).slice(0, 50)}`.trim().replaceAll(/\s+/g, ' ')
}

async function follow({ ports, table, index, rounds }: SendOrder): Promise<void> {
  if (made?.index !== index) made = { index, body: largeBodies(table)[index]!.make() }
  let answer = ''
  for (let round = 0; round < rounds; round++) answer = await send(ports, made.body)
  const report: SendReport = { answer }
  parentPort!.postMessage(report)
}

parentPort!.on('message', (order: SendOrder) => void follow(order))
