/** The messages between the main thread and a thread that decodes. */

import type { Transferable } from 'node:worker_threads'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'

/** A value, and the memory in it that moves to the other thread. */
export interface Moved<Value> {
  readonly value: Value
  readonly memory: readonly Transferable[]
}

/**
 * The export `task` of a module that a thread runs: a function that returns one value, or a generator. Each part that a generator
 * yields moves in a turn of the event loop of its own. Its return value ends the work.
 */
export type Task<Input, Output, Part = never> = (input: Input) => Moved<Output> | PartedTask<Output, Part>

export type PartedTask<Output, Part> = Generator<Moved<Part>, Moved<Output>, undefined>

/** `module`: the URL of a module with a task; undefined: continue the running task. */
export interface Order {
  readonly module: string | undefined
  readonly input?: unknown
}

export type Report =
  | { readonly kind: 'part'; readonly value: unknown }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** An error in a message. `code` is undefined for a bug. */
export interface Failure {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly javaClass?: string
  readonly stack?: string | undefined
}

export function failureOf(error: unknown): Failure {
  if (isHBaseError(error)) return { code: error.code, message: error.message, javaClass: error.javaClass }
  if (error instanceof Error) return { code: undefined, message: error.message, stack: error.stack }
  return { code: undefined, message: String(error) }
}

export function errorOf({ code, message, javaClass, stack }: Failure): Error {
  if (code !== undefined) return new HBaseError(code, message, { javaClass })
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}
