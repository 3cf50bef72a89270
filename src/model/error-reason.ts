/** Errors for a person who reads a log: the whole reason in a line, and a stack only where it shows a bug. */

import { InvariantError } from './assert.ts'
import { boundedText } from './bounded-text.ts'
import { isHBaseError } from './errors.ts'
import { UnfitFileError } from './unfit-file.ts'

/** Causes that are looked at: a chain may be a ring. */
const CAUSES_MAX = 10

/** The error and its causes, the outermost first. */
function* chainOf(error: unknown): Iterable<unknown> {
  let at = error
  for (let depth = 0; at !== undefined && depth < CAUSES_MAX; depth++) {
    yield at
    at = at instanceof Error ? at.cause : undefined
  }
}

/** The messages of the error and its causes. One that an outer message already contains is left out. */
export function reasonOf(error: unknown): string {
  let reason = ''
  for (const each of chainOf(error)) {
    const message = each instanceof Error ? each.message || each.name : String(each)
    if (reason === '') reason = message
    else if (!reason.includes(message)) reason += `: ${message}`
  }
  return boundedText(reason)
}

/** The system's code, such as ENOSPC, of the error or of a cause; undefined where the system is not the cause. */
export function systemCodeOf(error: unknown): string | undefined {
  for (const each of chainOf(error)) {
    const code = (each as NodeJS.ErrnoException | undefined)?.code
    if (!isHBaseError(each) && typeof code === 'string') return code
  }
  return undefined
}

/** The bug behind the error, whose stack helps; undefined for a failure that can happen to a server without a fault. */
export function bugBehind(error: unknown): Error | undefined {
  let isFailure = false
  for (const each of chainOf(error)) {
    if (!(each instanceof Error)) continue
    if (each instanceof InvariantError) return each
    if (isHBaseError(each) || each instanceof UnfitFileError || 'code' in each) isFailure = true
    else if (each instanceof TypeError || each instanceof ReferenceError) return each
  }
  if (isFailure) return undefined
  return error instanceof Error ? error : new Error(String(error))
}

const PLAIN_NAMES: ReadonlySet<string> = new Set(['HBaseError', 'Error', 'string'])

/** An error as the fields of a line in a log. */
export interface ErrorFields {
  /** The class of the error, where it says more than that it is one. */
  readonly name?: string
  readonly reason: string
  readonly code?: string
  readonly detail?: Readonly<Record<string, string | number | boolean>>
  readonly stack?: string
}

export function errorFields(error: unknown): ErrorFields {
  const bug = bugBehind(error)
  const code = isHBaseError(error) ? error.code : systemCodeOf(error)
  const detail = isHBaseError(error) ? error.detail : undefined
  const name = error instanceof Error ? error.name : typeof error
  return {
    ...(!PLAIN_NAMES.has(name) && { name }),
    reason: reasonOf(error),
    ...(code !== undefined && { code }),
    ...(detail !== undefined && { detail: inJson(detail) }),
    ...(bug?.stack !== undefined && { stack: boundedText(bug.stack) }),
  }
}

/** JSON has no bigints. */
function inJson(
  detail: Readonly<Record<string, string | number | bigint | boolean>>,
): Readonly<Record<string, string | number | boolean>> {
  const plain = Object.entries(detail).map(
    ([name, value]) => [name, typeof value === 'bigint' ? String(value) : value] as const,
  )
  return Object.fromEntries(plain)
}
