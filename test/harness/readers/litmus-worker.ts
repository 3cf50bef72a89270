/** A reader in a thread of its own, which stops at a point of a read until the writer lets it go on. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import type { FileSystem, OpenFile } from '../../../adapters/native/platform/file-system.ts'
import { NODE_FILE_SYSTEM } from '../../../adapters/native/platform/node-file-system.ts'
import { openReader } from '../../../adapters/native/reader/open-reader.ts'
import type { ToReader } from '../../../adapters/native/threads/reader-messages.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { get, scan } from '../../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { type LitmusReaderData, type ReadAnswer, STATES, type WantedRead } from './litmus-messages.ts'
import { StoppedWords } from './stopped-words.ts'

const TABLE = parseTableName('litmus')
/** The large cells of a change lie behind it. */
const STOP_ROW = Buffer.from('y')
const LIMITS = { rows: 100, bytes: 1 << 24, allowPartial: false }

/** The file that was opened before has the descriptor of each file. */
let last: OpenFile | undefined
const MIXED_UP: FileSystem = Object.assign(Object.create(NODE_FILE_SYSTEM) as FileSystem, {
  open: (path: string, mode: 'read' | 'append' | 'create') => {
    const file = NODE_FILE_SYSTEM.open(path, mode)
    const other = last ?? file
    last = file
    return Object.assign(Object.create(file) as OpenFile, {
      read: (target: Buffer, offset: number, length: number, position: number) =>
        other.read(target, offset, length, position),
      size: () => file.size(),
      close: () => undefined,
    })
  },
})

const { words: memory, reader, port, state: shared, fault, blockCacheBytes } = workerData as LitmusReaderData
const state = new Int32Array(shared)
const words = new StoppedWords(memory, fault)
const { rows, handouts } = openReader({
  words,
  reader,
  port: {
    post: (message) => port.postMessage(message),
    receive: () => receiveMessageOnPort(port)?.message as readonly ToReader[] | undefined,
    onMessages: (arrived) => port.on('message', arrived),
  },
  fileSystem: fault === 'a read by the descriptor of another file' ? MIXED_UP : NODE_FILE_SYSTEM,
  clock: { now: Date.now },
  random: Math.random,
  // One descriptor: the files of the two families are opened again and again, and have its number in turn.
  options: { ...DEFAULT_NATIVE_OPTIONS, blockCacheBytes, poisonReleased: true, openFilesMax: 1 },
})

function valuesOf(results: ScannedResults): string[] {
  return cellsOf(gathered(results).cells).map(({ value }) => value.toString())
}

async function read(kind: WantedRead['kind']): Promise<string[]> {
  if (kind === 'get') {
    const row = get(Buffer.from('a'))
    return valuesOf(await rows.get(TABLE, [row], { bytes: 1 << 24 }, OWN_CALL))
  }
  const { id } = await rows.openScanner(TABLE, scan({ stopRow: STOP_ROW }), OWN_CALL)
  const values: string[] = []
  try {
    for (;;) {
      // The rows that are looked at come first.
      const isRowByRow = kind === 'scan in turns' && values.length < 6
      if (isRowByRow) await nextTurn()
      const limits = isRowByRow ? { ...LIMITS, rows: 1 } : LIMITS
      const { results, ended } = await handouts.next(id, limits, OWN_CALL)
      values.push(...valuesOf(results))
      if (ended === 'scan') return values
    }
  } finally {
    await handouts.closeScanner(id)
  }
}

function stop(): void {
  Atomics.store(state, 0, STATES.stopped)
  Atomics.notify(state, 0)
  Atomics.wait(state, 0, STATES.stopped)
}

async function answerTo(wanted: WantedRead): Promise<ReadAnswer> {
  // The thread has all that was posted by now: where it looks for more, it is for changes that come after this.
  await nextTurn()
  await read('get')
  // The turn of the read before has ended: each read has the same points.
  await nextTurn()
  if (wanted.stopAt < 0) stop()
  let points = 0
  words.point = () => {
    if (points++ === wanted.stopAt) stop()
  }
  try {
    return { values: await read(wanted.kind) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    words.point = () => undefined
  }
}

parentPort!.on('message', (wanted: WantedRead) => {
  void answerTo(wanted).then((answer) => {
    // Before the answer: the writer may begin the next read with it.
    Atomics.store(state, 0, STATES.done)
    Atomics.notify(state, 0)
    parentPort!.postMessage(answer)
  })
})
