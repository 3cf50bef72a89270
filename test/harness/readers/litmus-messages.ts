import type { MessagePort } from 'node:worker_threads'
import type { Fault } from './stopped-words.ts'

export interface LitmusReaderData {
  readonly words: SharedArrayBuffer
  readonly reader: number
  readonly port: MessagePort
  /** An int32: one of STATES. */
  readonly state: SharedArrayBuffer
  readonly fault: Fault | undefined
  readonly blockCacheBytes: number
}

/** States of the reader, of which the writer waits for a change. */
export const STATES = { reading: 0, stopped: 1, goesOn: 2, done: 3 } as const

export interface WantedRead {
  readonly kind: 'get' | 'scan' | 'scan in turns'
  /** The point, counted from 0, at which the read stops; -1: before it begins. */
  readonly stopAt: number
}

/** The values that the read has found, or its error. */
export type ReadAnswer = { readonly values: readonly string[] } | { readonly error: string }
