/** A reader of an engine in the same thread, which gets nothing from it but messages and shared memory. */

import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { NativeStore } from '../../../adapters/native/native-store.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeOptions } from '../../../adapters/native/options/native-options.ts'
import type { Clock, FileSystem, RandomSource } from '../../../adapters/native/platform/file-system.ts'
import { openReader, type StoreReader } from '../../../adapters/native/reader/open-reader.ts'
import type { MessageToWriter, ToReader } from '../../../adapters/native/threads/reader-messages.ts'

export interface ReaderSettings {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly random: RandomSource
  readonly options?: Partial<NativeOptions>
}

/** The store must have been opened with `readers`. Close the reader before the store. */
export function readerOfStore(store: NativeStore, settings: ReaderSettings): StoreReader {
  const { port1, port2 } = new MessageChannel()
  const connection = store.connectReader({ postMessage: (messages) => port1.postMessage(messages) })
  port1.on('message', (message: MessageToWriter) => connection.received(message))
  const reader = openReader({
    ...settings,
    words: connection.words,
    reader: connection.reader,
    options: { ...DEFAULT_NATIVE_OPTIONS, ...settings.options },
    port: {
      post: (message) => port2.postMessage(message),
      receive: () => receiveMessageOnPort(port2)?.message as readonly ToReader[] | undefined,
      onMessages: (arrived) => port2.on('message', arrived),
    },
  })
  return {
    ...reader,
    close: () => {
      reader.close()
      port2.close()
      connection.close()
    },
  }
}
