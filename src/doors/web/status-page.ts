import { html } from 'hono/html'
import { counted } from '../../model/counted.ts'
import type { Call } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { opening, readiness } from './status/health.ts'
import type { ServerFacts } from './status/server-facts.ts'
import { visibleHealth } from './status/visible-health.ts'

export interface Status {
  readonly store: Store
  readonly call: Call
  readonly facts: ServerFacts
  readonly uptimeSeconds: number
}

/** The page of a server whose store is not open yet: how far it has come. It asks again by itself. */
export function openingPage({ version, life }: ServerFacts): ReturnType<typeof html> {
  const { reason, progress } = opening(life.opening)
  const bar =
    progress && html`<p><progress max="100" value="${progress.percent}">${progress.percent} %</progress></p>`
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="1">
<title>Tidegate starts</title>
<h1>Tidegate ${version}</h1>
<p role="status">Starting: ${reason}.</p>
${bar}
<p><a href="health">health</a></p>
</html>
`
}

/** The status page of the server: one screen, without JavaScript. */
export async function statusPage({
  store,
  call,
  facts,
  uptimeSeconds,
}: Status): Promise<Awaited<ReturnType<typeof html>>> {
  const { version, doors, life } = facts
  const { reason, damagedFiles = 0, ...health } = await visibleHealth(await readiness(life), { call, facts })
  const troubles = [...(health.troubles ?? [])]
  if (damagedFiles > 0) troubles.push(`${counted(damagedFiles, 'file')} cannot be read`)
  const degraded = troubles.length === 0 ? '' : `, but ${troubles.join('; ')}: see health`
  const rows = [...doors].map(([name, { port }]) => html`<tr><th>${name}</th><td>${port}</td></tr>`)
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tidegate</title>
<h1>Tidegate ${version}</h1>
<p>Store: ${store.kind}. ${reason ?? `Serving${degraded}`}. Up for ${uptimeSeconds} s.</p>
<table>
<tr><th>door</th><th>port</th></tr>
${rows}
</table>
<p><a href="console/">console</a> <a href="metrics">metrics</a> <a href="health">health</a></p>
</html>
`
}
