/** A reader of an engine in the same thread, which gets nothing from it but messages and shared memory. */

import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { NativeStore } from '../../../adapters/native/native-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { DEFAULT_NATIVE_OPTIONS } from '../../../adapters/native/options/native-options.ts'
import type { NativeStoreConfig } from '../../../adapters/native/options/native-store-config.ts'
import { ThreadWords } from '../../../adapters/native/platform/thread-words.ts'
import { openReader, type StoreReader } from '../../../adapters/native/reader/open-reader.ts'
import type { MessageToWriter, ToReader } from '../../../adapters/native/threads/reader-messages.ts'
import { withFacets } from '../../../src/store/decorate.ts'
import { threadStore } from '../../../src/store/port/thread-store.ts'
import type { Store } from '../../../src/store/store.ts'

type ReaderSettings = Pick<NativeStoreConfig, 'fileSystem' | 'clock' | 'random' | 'options' | 'turns'>

/** A store whose reads are a reader's. */
export async function openReadBeside(config: NativeStoreConfig): Promise<Store> {
  const words = new ThreadWords(ThreadWords.memoryFor(1))
  const store = await openNativeStore({ ...config, words })
  const reader = readerOfStore(store, config)
  const close = async (): Promise<void> => {
    reader.close()
    await store.close()
  }
  return { ...threadStore(withFacets(store, {}), reader), close }
}

/** A reader that a test can end. */
export interface ReaderOfStore extends StoreReader {
  /** Ends it as a thread that dies: it lets go of nothing itself. */
  die(): void
}

/** The store must have been opened with `words`. Close the reader before the store. `send`: posts the reader's messages to the store, at once or later. */
export function readerOfStore(
  store: NativeStore,
  settings: ReaderSettings,
  send: (post: () => void) => void = (post) => post(),
): ReaderOfStore {
  const { port1, port2 } = new MessageChannel()
  const connection = store.connectReader({ postMessage: (messages) => port1.postMessage(messages) })
  port1.on('message', (message: MessageToWriter) => connection.received(message))
  // A test may leave a killed store behind.
  port1.unref()
  const reader = openReader({
    ...settings,
    words: new ThreadWords(connection.words),
    reader: connection.reader,
    options: { ...DEFAULT_NATIVE_OPTIONS, ...settings.options },
    port: {
      post: (message) => send(() => port2.postMessage(message)),
      receive: () => receiveMessageOnPort(port2)?.message as readonly ToReader[] | undefined,
      onMessages: (arrived) => port2.on('message', arrived).unref(),
    },
  })
  const die = (): void => {
    port2.close()
    connection.close()
  }
  return {
    ...reader,
    die,
    close: () => {
      reader.close()
      die()
    },
  }
}
