/** Lists of tables and of namespaces. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { RestDocument } from './document.ts'
import { escapeXml, xmlElement } from './xml-writer.ts'

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('')
}

function repeatedStrings(names: readonly string[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const name of names) writer.tag(1, WireType.LengthDelimited).string(name)
  return writer.finish()
}

export function tableListDocument(tables: readonly string[]): RestDocument {
  return {
    text: () => lines(tables),
    xml: () =>
      xmlElement('TableList', [], tables.map((name) => xmlElement('table', [['name', name]])).join('')),
    json: () => ({ table: tables.map((name) => ({ name })) }),
    protobuf: () => repeatedStrings(tables),
  }
}

export function namespacesDocument(namespaces: readonly string[]): RestDocument {
  return {
    text: () => lines(namespaces),
    xml: () => xmlElement('Namespaces', [], namespaces.map(namespaceXml).join('')),
    json: () => ({ Namespace: namespaces }),
    protobuf: () => repeatedStrings(namespaces),
  }
}

function namespaceXml(name: string): string {
  return `<Namespace>${escapeXml(name)}</Namespace>`
}
