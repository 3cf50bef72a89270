import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { StoreReader } from '../../../../adapters/native/reader/open-reader.ts'
import type { ToReader } from '../../../../adapters/native/threads/reader-messages.ts'
import { LOOP_TURNS } from '../../../model/loop-turns.ts'
import type { RequestMemory } from '../../../store/request-memory.ts'
import type { SpanRecorder } from '../../../store/span-recorder.ts'
import type { ReaderSizes } from '../../stores/shared-reads.ts'
import { openStoreFiles } from '../../stores/store-descriptors.ts'

/** A reader of the embedded engine, as a thread gets it. */
export interface ReaderStart {
  /** ThreadWords.memory of the engine. */
  readonly words: SharedArrayBuffer
  readonly reader: number
  /** The engine, in the main thread. */
  readonly port: MessagePort
  readonly sizes: ReaderSizes
  /** RightsChanges.memory. */
  readonly rights: SharedArrayBuffer
}

/** `threads`: all that read, with the main one. */
export async function openThreadReads(
  { words, reader, port, sizes }: Omit<ReaderStart, 'rights'>,
  memory: RequestMemory,
  threads: number,
  spans: SpanRecorder | undefined,
): Promise<StoreReader> {
  const { openReader } = await import('../../../../adapters/native/reader/open-reader.ts')
  const { DEFAULT_NATIVE_OPTIONS } = await import('../../../../adapters/native/options/native-options.ts')
  const { NODE_FILE_SYSTEM } = await import('../../../../adapters/native/platform/node-file-system.ts')
  const { nodeWakeUps } = await import('../../../../adapters/native/platform/node-wake-ups.ts')
  const { NODE_CLOCK } = await import('../../../../adapters/native/platform/node-clock.ts')
  const { ThreadWords } = await import('../../../../adapters/native/platform/thread-words.ts')
  const { openFilesMax = DEFAULT_NATIVE_OPTIONS.openFilesMax } = openStoreFiles()
  return openReader({
    words: new ThreadWords(words),
    reader,
    port: {
      post: (message) => port.postMessage(message),
      receive: () => receiveMessageOnPort(port)?.message as readonly ToReader[] | undefined,
      onMessages: (arrived) => void port.on('message', arrived),
    },
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
    options: {
      ...DEFAULT_NATIVE_OPTIONS,
      ...sizes,
      openFilesMax: Math.max(1, Math.floor(openFilesMax / threads)),
      memory,
    },
    wakeUps: nodeWakeUps,
    turns: LOOP_TURNS,
    spans,
  })
}
