/** How an answer of a timeline service looks in a recording. */

import { HBaseError } from '../../../src/model/errors.ts'
import { type JsonValue, parseJson } from '../../../src/wire/text/json-value.ts'
import { indent } from '../runner/recording.ts'
import type { RestAnswer } from '../runner/rest-client.ts'

const LIMITS = { depthMax: 100, batchMax: 100_000, elementsMax: 1_000_000 }
/** Jackson's messages name its own classes: the class of the exception says what is wrong. */
const JACKSON = /^com\.fasterxml\.jackson\./
const EXPLAINED_BY_CLASS = '<what the class says>'
/** Facts of the server, and times at which it was asked. */
const OWN_FACTS = /version|built-on/
const OWN_TIMES = /^(created|modified)time$/

export function printTimelineAnswer({ status, headers, body }: RestAnswer): string {
  const type = headers.get('content-type')?.replaceAll(' ', '').toLowerCase() ?? ''
  const text = body.toString()
  if (text === '') return `< ${status}`
  const shown = type.startsWith('application/xml') ? text : printJson(body)
  if (shown === undefined) return `< ${status}\n\n${indent('<page of the server>')}`
  return `< ${status}\n  content-type: ${type}\n\n${indent(shown)}`
}

function printJson(body: Buffer): string | undefined {
  try {
    return printed(parseJson(body, LIMITS))
  } catch (error) {
    if (error instanceof HBaseError) return undefined
    throw error
  }
}

/** On one line each: entities, events and domains. */
function printed(value: JsonValue, name = '', depth = 0): string {
  switch (value.kind) {
    case 'null':
      return 'null'
    case 'boolean':
    case 'number':
      return OWN_TIMES.test(name) ? '<now>' : String(value.value)
    case 'string':
      return OWN_FACTS.test(name) ? '<a fact of the server>' : JSON.stringify(value.value)
    case 'array': {
      const items = value.value.map((item) => printed(item, '', depth + 1))
      return depth > 1 || items.length === 0 ? `[${items.join(',')}]` : `[\n${items.join(',\n')}\n]`
    }
    case 'object': {
      const javaClass = value.value.get('javaClassName')
      const isJackson = javaClass?.kind === 'string' && JACKSON.test(javaClass.value)
      const members = [...value.value].map(([member, each]) => {
        const text =
          isJackson && member === 'message'
            ? EXPLAINED_BY_CLASS
            : member === 'primaryfilters'
              ? printedSets(each)
              : printed(each, member, depth + 1)
        return `${JSON.stringify(member)}:${text}`
      })
      return `{${members.join(',')}}`
    }
  }
}

/** Sets of values of several types in an order of their own: Java's depends on the form in which they were stored. */
function printedSets(value: JsonValue): string {
  if (value.kind !== 'object') return printed(value)
  const members = [...value.value].map(([name, set]) => {
    const items = set.kind === 'array' ? set.value.map((item) => printed(item, '', 2)).sort() : [printed(set)]
    return `${JSON.stringify(name)}:[${items.join(',')}]`
  })
  return `{${members.join(',')}}`
}
