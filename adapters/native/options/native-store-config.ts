import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { OpeningProgress } from '../../../src/store/opening-progress.ts'
import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import type { Clock, FileSystem, RandomSource } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { ThreadWords } from '../platform/thread-words.ts'
import type { WakeUps } from '../platform/wake-ups.ts'
import type { NativeOptions } from './native-options.ts'

export interface NativeStoreConfig {
  readonly directory: string
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly random: RandomSource
  readonly options?: Partial<NativeOptions>
  readonly log?: NativeLog
  /** Most worker threads that write store files, on the disk of `fileSystem`; 0, the default: none, for any file system. */
  readonly threadsMax?: number
  /** With place for the threads that read the store beside this one (NativeStore.connectReader); without, none can. */
  readonly words?: ThreadWords
  /** Wakes the engine for what it does by the clock; without, it does none of that. */
  readonly wakeUps?: WakeUps
  /** Turns of the event loop that the engine shares with other work of this thread; without, it has turns of its own by its clock. */
  readonly turns?: LoopTurns
  /** Called once, before the store is opened: `progress` says how far the opening has come; undefined where it is nearly done. */
  readonly onOpening?: ((progress: () => OpeningProgress | undefined) => void) | undefined
  /** Undefined where no spans are recorded. */
  readonly spans?: SpanRecorder | undefined
}
