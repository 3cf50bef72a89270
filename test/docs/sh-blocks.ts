/** The commands of a page of Markdown: its fenced `sh` blocks, and what the remarks before them say. */

export interface ShBlock {
  readonly page: string
  readonly line: number
  readonly commands: string
  /** Why no test runs it: `<!-- not run: REASON -->` stands in the line before it. */
  readonly notRun: string | undefined
  /** The file of the test that runs it: `<!-- run by: FILE -->` stands in the line before it. */
  readonly runBy: string | undefined
  /** Tables that it needs, from `<!-- tables: t:f,g other:f -->` in the line before it. */
  readonly tables: readonly { readonly name: string; readonly families: readonly string[] }[]
}

export function shBlocks(page: string, markdown: string): readonly ShBlock[] {
  const lines = markdown.split('\n')
  const found: ShBlock[] = []
  for (let i = 0; i < lines.length; i++) {
    const indent = /^( *)```sh$/.exec(lines[i]!)?.[1]
    if (indent === undefined) continue
    const remark = /^ *<!-- (not run|run by|tables): (.+) -->$/.exec(lines[i - 1] ?? '')
    const begin = i + 1
    const end = `${indent}${'`'.repeat(3)}`
    while (lines[++i] !== undefined && lines[i] !== end);
    const commands = lines.slice(begin, i).map((line) => line.slice(indent.length))
    found.push({
      page,
      line: begin,
      commands: commands.join('\n'),
      notRun: remark?.[1] === 'not run' ? remark[2] : undefined,
      runBy: remark?.[1] === 'run by' ? remark[2] : undefined,
      tables: remark?.[1] === 'tables' ? remark[2]!.split(' ').map(tableOf) : [],
    })
  }
  return found
}

function tableOf(text: string): ShBlock['tables'][number] {
  const at = text.lastIndexOf(':')
  return { name: text.slice(0, at), families: text.slice(at + 1).split(',') }
}
