import { messageOf } from '../../../src/model/message-of.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { StoreFileCheck } from './store-file-check.ts'
import { StoreFileView } from './store-file-view.ts'

/** The first fault of a store file by itself, of which no manifest says what should be in it; undefined for a sound one. */
export function firstFaultOf(fileSystem: FileSystem, path: string): string | undefined {
  let first: string | undefined
  try {
    const view = new StoreFileView(fileSystem, path)
    try {
      const fault = (offset: number | undefined, message: string): void => {
        first ??= offset === undefined ? message : `byte ${offset}: ${message}`
      }
      new StoreFileCheck(view, undefined, fault).run(() => undefined)
    } finally {
      view.close()
    }
  } catch (error) {
    return messageOf(error)
  }
  return first
}
