/** A thread that sends hostile requests: the thread that measures must not wait for it. */

import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../src/model/message-of.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { type AttackedServer, openAttacked } from './attacked-server.ts'
import type { AttackedSizes } from './attacked-table.ts'
import type { Attacked } from './scene.ts'
import { SCENES } from './scenes.ts'

export interface SenderSettings {
  readonly server: AttackedServer
  /** Place among the scenes. */
  readonly scene: number
  readonly table: string
  readonly sizes: AttackedSizes
}

const { server, scene, table, sizes } = workerData as SenderSettings
const store = await openAttacked(server)
const attacked: Attacked = {
  server,
  store,
  table: parseTableName(table),
  sizes,
  as: (user) => openAttacked(server, user),
}
const ANSWER_LENGTH_MAX = 60

async function answerOf(index: number): Promise<string> {
  try {
    return await SCENES[scene]!.requests[index]!.send(attacked)
  } catch (error) {
    const text = messageOf(error)
    return text.replaceAll(/\s+/g, ' ').slice(0, ANSWER_LENGTH_MAX)
  }
}

parentPort!.on('message', (index: number) => {
  void answerOf(index).then((answer) => parentPort!.postMessage(answer))
})
parentPort!.postMessage('ready')
