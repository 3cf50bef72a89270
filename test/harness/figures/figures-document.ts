import { type ComparedFigures, reasonOf } from './figure-rules.ts'

const BEGIN = '<!-- figures -->\n'

/** The table of all figures that Tidegate reports, or HBase by its master and REST. */
export function figuresDocument({ hbase, front, engine }: ComparedFigures): string {
  const isShown = (name: string): boolean => front.has(name) || engine.has(name)
  const names = [...new Set([...hbase.keys(), ...engine.keys()])].filter(isShown)
  const rows = names.map((name) => {
    const cells = [hbase.get(name), front.get(name), engine.get(name)].map((text) => shortened(text ?? ''))
    return `| ${[name, ...cells, reasonOf(name) ?? ''].join(' | ')} |\n`
  })
  return `| figure | HBase | in front of it | engine | why it may differ |\n|---|---|---|---|---|\n${rows.join('')}`
}

function shortened(text: string): string {
  return text.length > 24 ? `${text.slice(0, 20)}...` : text
}

/** The page with these tables in the place of its present ones. */
export function withTables(page: string, tables: string): string {
  const [head] = page.split(BEGIN)
  return `${head}${BEGIN}\n${tables}`
}
