import { ask } from './http-requests.ts'
import type { Attacked } from './scene.ts'

const CELLS_A_PAGE = 500_000

/** Two pages of a row by a scanner of REST. */
export async function restRowPage(attacked: Attacked, row: Buffer): Promise<string> {
  const key = row.toString('base64')
  const body = `<Scanner batch="${CELLS_A_PAGE}" startRow="${key}" endRow="${Buffer.concat([row, Buffer.of(0)]).toString('base64')}"/>`
  const headers = { 'content-type': 'text/xml' }
  const made = await ask(attacked, 'rest', `/${attacked.table}/scanner`, { method: 'PUT', body, headers })
  if (made.location === null) return `${made.status}`
  const { pathname } = new URL(made.location)
  let bytes = 0
  for (let page = 0; page < 2; page++)
    bytes += (await ask(attacked, 'rest', pathname, { headers: { accept: 'application/json' } })).bytes
  await ask(attacked, 'rest', pathname, { method: 'DELETE' })
  return `${bytes} bytes`
}
