/** The page of the growth series: a table, a picture and what was judged, one after the other. */

import { cpus, totalmem } from 'node:os'
import { figureText, type Judgement, type Point, type Series } from './series.ts'

export interface Ran {
  readonly series: Series
  readonly points: readonly Point[]
  readonly judged: readonly Judgement[]
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function section({ series, points, judged }: Ran): string {
  const names = Object.keys(points[0]?.figures ?? {})
  const steps = points.map(({ step }) => (typeof step === 'number' ? figureText(step) : step))
  return [
    `## By ${series.grows}`,
    [
      row(['', ...steps]),
      row(['---', ...steps.map(() => '---:')]),
      ...names.map((name) => row([name, ...points.map(({ figures }) => figureText(figures[name]!))])),
    ].join('\n'),
    `![by ${series.name}](${series.name}.svg)`,
    judged.map(({ what, holds }) => `- ${holds ? 'holds' : '**missed**'}: ${what}`).join('\n'),
  ].join('\n\n')
}

/** `at`: the date and the commit. */
export function growthPage(title: string, ran: readonly Ran[], at: string): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  const head = `# ${title}\n\nWritten by \`npm run load:growth\`, ${at}: ${machine}. Tidegate on its engine; the load comes from the same machine.`
  return `${[head, ...ran.map(section)].join('\n\n')}\n`
}
