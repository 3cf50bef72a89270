const ESCAPED = /\\(?:u[\da-f]{4}|.)|[\ud800-\udfff]/g

/** JSON with the escapes of Jackson's UTF8JsonGenerator: in capitals, and also for what is beyond U+FFFF. */
export function jacksonText(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (found) => {
    if (found.startsWith('\\u')) return `\\u${found.slice(2).toUpperCase()}`
    return found.startsWith('\\') ? found : `\\u${found.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
