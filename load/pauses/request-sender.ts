/** A thread that sends hostile requests: the thread that measures must not wait for it. */

import { parentPort, workerData } from 'node:worker_threads'
import { parseTableName } from '../../src/model/table-name.ts'
import { type AttackedServer, openAttacked } from './attacked-server.ts'
import { attackedSizes } from './attacked-table.ts'
import { HOSTILE_REQUESTS } from './hostile-requests.ts'

export interface SenderSettings {
  readonly server: AttackedServer
  readonly table: string
  /** See attackedSizes. */
  readonly part: number
}

const { server, table, part } = workerData as SenderSettings
const store = await openAttacked(server)
const attacked = { store, table: parseTableName(table), sizes: attackedSizes(part) }
const ANSWER_LENGTH_MAX = 60

async function answerOf(index: number): Promise<string> {
  try {
    return await HOSTILE_REQUESTS[index]!.send(attacked)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return text.replaceAll(/\s+/g, ' ').slice(0, ANSWER_LENGTH_MAX)
  }
}

parentPort!.on('message', (index: number) => {
  void answerOf(index).then((answer) => parentPort!.postMessage(answer))
})
parentPort!.postMessage('ready')
