/** docs/examples.md: blocks of `$ npm run example -- ...`, and below that line what the command prints. */

/** Throws away what differs from run to run: times. */
export function steady(line: string): string {
  return line.replaceAll(/\d+\.\d ms/g, '… ms')
}

export interface DocumentedRun {
  /** The arguments after `npm run example --`. */
  readonly args: readonly string[]
  readonly lines: readonly string[]
}

const BLOCK = /^```console\n\$ npm run example -- (.*)\n([\s\S]*?)^```/gm

export function documentedRuns(markdown: string): DocumentedRun[] {
  return [...markdown.matchAll(BLOCK)].map((match) => ({
    args: match[1]!.split(' '),
    lines: match[2]!.trimEnd().split('\n'),
  }))
}

/** The document with other outputs, in the order of its blocks. */
export function withOutputs(markdown: string, outputs: readonly (readonly string[])[]): string {
  let next = 0
  return markdown.replaceAll(
    BLOCK,
    (_, args: string) =>
      `\`\`\`console\n$ npm run example -- ${args}\n${outputs[next++]!.join('\n')}\n\`\`\``,
  )
}
