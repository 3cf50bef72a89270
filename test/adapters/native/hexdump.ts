import { readFileSync } from 'node:fs'
import { packageRoot } from '../../../src/package-root.ts'

/** The bytes of a ```hexdump NAME block of docs/formats.md. */
export function documentedBytes(name: string): Buffer {
  const text = readFileSync(new URL('docs/formats.md', packageRoot()), 'utf8')
  const dump = new RegExp(`\`\`\`hexdump ${name}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1]
  if (dump === undefined) throw new Error(`docs/formats.md shows no ${name}`)
  return Buffer.from(dump.replaceAll(/^[0-9a-f]{4} {2}|\|.*$/gm, '').replaceAll(/\s/g, ''), 'hex')
}
