/** Small XML documents from clients, as trees. */

import { type DecodeLimits, ElementCount } from './decode-limits.ts'
import { attributesOf, checkRoot, readXml } from './xml-reader.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The character data after the last child. */
  readonly text: string
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[]
  text: string
}

/** The root element, whose name must be `rootName`. Throws as readXml and checkRoot, and TOO_LARGE above the limits. */
export function parseXml(bytes: Buffer, limits: DecodeLimits, rootName: string): XmlElement {
  const count = new ElementCount(limits)
  const top: XmlElement[] = []
  const open: OpenElement[] = []
  readXml(bytes, limits.depthMax, {
    open: (name, attributes) => {
      count.add()
      for (const _ in attributes) count.add()
      const element: OpenElement = {
        name,
        attributes: new Map(attributesOf(attributes)),
        children: [],
        text: '',
      }
      const siblings = open.at(-1)?.children ?? top
      siblings.push(element)
      open.push(element)
    },
    close: (_, text) => {
      open.pop()!.text = text
    },
  })
  const [root] = top as [XmlElement]
  checkRoot(root.name, rootName)
  return root
}
