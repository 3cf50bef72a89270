/**
 * REST answers about the server itself: its machine, its load, tables that the suite did not make. The suite compares
 * their form and leaves the facts out.
 */

import type { Scenario } from './case.ts'
import { ownNamesOf, tableName } from './own-names.ts'

type Hide = (text: string, isOwn: (name: string) => boolean) => string

/** Names of fields in JSON, XML, protobuf and text. */
const FIELD_NAMES = [/"(\w+)":/g, /<(\w+)|\s(\w+)="/g, /^\s*(\d+):/gm, /\b(\w+)=/g] as const

/** Only the names of the fields in a cluster's status, each once: the number of its regions is not known. */
function fieldNames(text: string): string {
  const [json, xml, protobuf, plain] = FIELD_NAMES
  const form = text.startsWith('{')
    ? json
    : text.startsWith('<')
      ? xml
      : /^\d+:/.test(text)
        ? protobuf
        : plain
  const names = [...text.matchAll(form)].map(([, name, attribute]) => name ?? attribute ?? '')
  return `fields: ${[...new Set(names)].sort((a, b) => (a < b ? -1 : 1)).join(' ')}`
}

function hideLocation(text: string): string {
  return text.replace(/(\blocation"?[=:]["'])[^"']*|^( {2}5: ')[^']*/gm, '$1$2<server>')
}

/** Hides the versions of the software below HBase; HBase's own is compared. */
function hideVersions(text: string): string {
  return text
    .replace(/\b((?:JVM|OS|Server)"?(?:=|:) ?"?)[^"\]]*/g, '$1<fact>')
    .replace(/^([2-4]): '.*'$/gm, "$1: '<fact>'")
}

/** Lists of names, in any of the four forms, without the names that are not the suite's. */
function hideOthers(text: string, isOwn: (name: string) => boolean): string {
  const keep = (entry: string, name: string): string => (isOwn(name) ? entry : '')
  return text
    .replace(/<table name="([^"]*)"\/>/g, keep)
    .replace(/<Namespace>([^<]*)<\/Namespace>/g, keep)
    .replace(/(?<=\[|,)(?:\{"name":)?"([^"]*)"\}?,?/g, keep)
    .replace(/,\]/, ']')
    .replace(/^1: '(.*)'\n?/gm, keep)
    .replace(/^([\w:.-]+)\n?/gm, keep)
    .trimEnd()
}

const FACTS: ReadonlyMap<string, Hide> = new Map<string, Hide>([
  ['/', hideOthers],
  ['/namespaces', hideOthers],
  ['/status/cluster', fieldNames],
  ['/version', hideVersions],
  ['/version/rest', hideVersions],
])

/** The tables of a namespace, whose answer has their names without it. */
const OF_NAMESPACE = /^\/namespaces\/([\w.-]+)\/tables$/

/** `text`: a printed body. */
export function hideFacts(path: string, text: string, scenario: Scenario): string {
  const resource = path.replace(/\?.*|;[^/]*/g, '').replace(/(?<=.)\/+$/, '')
  const isOwn = ownNamesOf(scenario)
  const [, namespace] = OF_NAMESPACE.exec(resource) ?? []
  if (namespace !== undefined) return hideOthers(text, (name) => isOwn(tableName(namespace, name)))
  const hide = resource.endsWith('/regions') ? hideLocation : FACTS.get(resource)
  return hide === undefined ? text : hide(text, isOwn)
}
