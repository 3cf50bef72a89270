/** Messages between the main thread and those that serve connections. */

import type { Socket } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import type { MetricsJson } from '../../../doors/web/metrics/exposition.ts'
import type { OwnServer } from '../../../gateway/door.ts'
import type { SlowOperation } from '../../../gateway/observing/slow/recent-slow.ts'
import type { SiblingsParts } from '../../../gateway/siblings/siblings.ts'
import type { Ports } from '../../settings/door-ports.ts'
import type { ServeSettings } from '../../settings/serve-options.ts'
import type { ReaderStart } from './thread-reads.ts'

/** The data with which a thread starts. */
export interface ThreadStart {
  /** From 1 on. */
  readonly number: number
  readonly settings: ServeSettings
  /** Its part of the memory for requests, in bytes. */
  readonly requestsBytes: number
  readonly place: SiblingsParts & { readonly mainSlot: number }
  /** The store, in the main thread. */
  readonly store: MessagePort
  /** Undefined: the main thread answers all reads. */
  readonly reads: ReaderStart | undefined
  /** Threads that serve, with the main one. */
  readonly threads: number
  readonly server: OwnServer
  /** Ports of the doors that it serves; the others are off. */
  readonly ports: Ports
  /** The port of the web pages; undefined where there are none. */
  readonly infoPort: number | undefined
}

/** Questions that a thread answers. */
export interface Answers {
  /** Once it has read its files again. */
  readonly reload: undefined
  readonly metrics: readonly MetricsJson[]
}

export type ToThread =
  | { readonly kind: 'connection'; readonly door: string; readonly id: number; readonly socket: Socket }
  | { readonly kind: 'ask'; readonly ask: number; readonly about: keyof Answers }
  | { readonly kind: 'stop' }

export type FromThread =
  /** Its doors take connections. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'slow'; readonly operation: SlowOperation }
  /** A line of its log, of level info or above. */
  | { readonly kind: 'event'; readonly line: string }
  | { readonly kind: 'answer'; readonly ask: number; readonly answer: unknown }
