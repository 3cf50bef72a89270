/** XML as JAXB writes it: one declaration, no white space, double quotes. */

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character]!)
}

/** ` name="value"` for each attribute that has a value. */
export function xmlAttributes(attributes: Iterable<readonly [string, string | number | undefined]>): string {
  let text = ''
  for (const [name, value] of attributes) {
    if (value !== undefined) text += ` ${name}="${escapeXml(String(value))}"`
  }
  return text
}

/** An element around children that are XML already; `<name/>` where there are none. */
export function xmlElement(
  name: string,
  attributes: Iterable<readonly [string, string | number | undefined]>,
  children = '',
): string {
  const head = `<${name}${xmlAttributes(attributes)}`
  return children.length === 0 ? `${head}/>` : `${head}>${children}</${name}>`
}

/** The begin and the end of an element that has children. */
export function xmlAround(
  name: string,
  attributes: Iterable<readonly [string, string | number | undefined]>,
): readonly [begin: string, end: string] {
  return [`<${name}${xmlAttributes(attributes)}>`, `</${name}>`]
}
