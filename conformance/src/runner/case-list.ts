/** Lists of cases, each with an id that says what it is about and does not depend on its place. */

import type { Case, Request } from './case.ts'
import { caseWords } from './request-words.ts'
import { slugOf } from './slug.ts'

/** A case with a name of its author's. */
export interface NamedCase {
  readonly label: string
  /** The part of the case that the label leaves out. */
  readonly content?: string
  readonly requests: readonly Request[]
}

export type Listed = Request | readonly Request[] | NamedCase

/** Names a case that its requests do not describe, or that repeats a request after a change. */
export function named(label: string, requests: Request | readonly Request[]): NamedCase {
  return { label, requests: 'door' in requests ? [requests] : requests }
}

/** Names a case whose label does not distinguish it from others: its id ends with a digest of its content. */
export function digested(label: string, content: string, requests: Request | readonly Request[]): NamedCase {
  return { ...named(label, requests), content }
}

type Part = string | number | bigint | boolean | null | undefined

/** A label of the values that a list varies; undefined values are left out. */
export function labelOf(parts: Readonly<Record<string, Part>>): string {
  const words = Object.entries(parts).map(([name, value]) => {
    if (value === undefined) return ''
    const text = value === null ? 'none' : String(value)
    return `${name} ${text === '' ? 'empty' : text}`
  })
  return words.filter((part) => part !== '').join(' ') || 'plain'
}

/** For texts that differ from others in their case only: names capital letters. */
export function withCase(text: string): string {
  return /[A-Z]/.test(text) ? `upper case ${text}` : text
}

interface ListOptions {
  /** Words at the start or the end of a slug that the whole list shares, or that only repeat the area. */
  readonly leaveOut?: readonly string[]
}

/** The id of each case is `area-slug`; the slug is made of the case's name, or else of its requests. */
export function listed(area: string, cases: readonly Listed[], options: ListOptions = {}): Case[] {
  const ids = new Set<string>()
  return cases.map((each) => {
    const { label, content, requests } = 'label' in each ? each : unnamed(each, options.leaveOut ?? [])
    const id = `${area}-${slugOf(label.replace(/^ +(?=.)| +$/g, ''), content)}`
    if (ids.has(id)) throw new Error(`two cases are called ${id}: give one a name by hand`)
    ids.add(id)
    return { id, requests }
  })
}

function unnamed(requests: Request | readonly Request[], leaveOut: readonly string[]): NamedCase {
  const all = 'door' in requests ? [requests] : requests
  return { label: without(caseWords(all).trim(), leaveOut), requests: all }
}

/** A text that has no other words stays. */
function without(text: string, leaveOut: readonly string[]): string {
  let rest = text
  for (const words of leaveOut) {
    if (rest.startsWith(`${words} `)) rest = rest.slice(words.length + 1)
    if (rest.endsWith(` ${words}`)) rest = rest.slice(0, -words.length - 1)
  }
  return rest
}
