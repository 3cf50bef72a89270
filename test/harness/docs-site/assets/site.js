// The search, light and dark, and the list of pages on a phone. It loads nothing from elsewhere, and works without a server.
const RESULTS_MAX = 20
const query = document.querySelector('#query')
const results = document.querySelector('#results')
const list = results.querySelector('ol')
const root = document.documentElement

function stored(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(key)
    localStorage.setItem(key, value)
  } catch {
    // A browser that keeps nothing follows the system.
  }
}

const chosen = stored('theme')
if (chosen) root.dataset.theme = chosen
document.querySelector('#theme').addEventListener('click', () => {
  const isDark = getComputedStyle(root).colorScheme === 'dark'
  root.dataset.theme = isDark ? 'light' : 'dark'
  stored('theme', root.dataset.theme)
})

if (matchMedia('(max-width: 46em)').matches) document.querySelector('#pages').removeAttribute('open')

/** Resolves to the sections of all pages. They come as a script, since pages without a server may not fetch. */
let loading
function sections() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = 'search-index.js'
    script.addEventListener('load', () => resolve(globalThis.searchIndex))
    script.addEventListener('error', reject)
    document.head.append(script)
  })
  return loading
}

/** 0 where a word is missing. A word in a heading weighs more than one in the text. */
function weight(section, words) {
  const heading = `${section.title} ${section.heading}`.toLowerCase()
  const text = section.text.toLowerCase()
  let sum = 0
  for (const word of words) {
    const own = heading.includes(word) ? 10 : 0
    const times = Math.min(text.split(word).length - 1, 5)
    if (own + times === 0) return 0
    sum += own + times
  }
  return sum
}

function shown(section, words) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = section.file + (section.anchor && `#${section.anchor}`)
  link.textContent =
    section.heading === section.title || !section.heading
      ? section.title
      : `${section.title}: ${section.heading}`
  const about = document.createElement('span')
  const at = Math.max(0, section.text.toLowerCase().indexOf(words[0]) - 60)
  about.textContent = (at > 0 ? '…' : '') + section.text.slice(at, at + 180) + '…'
  item.append(link, about)
  return item
}

async function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) {
    results.hidden = true
    return
  }
  const asked = query.value
  const all = await sections()
  if (query.value !== asked) return
  const found = all.map((section) => [weight(section, words), section]).filter(([sum]) => sum > 0)
  found.sort((one, other) => other[0] - one[0])
  list.replaceChildren(...found.slice(0, RESULTS_MAX).map(([, section]) => shown(section, words)))
  const more = found.length > RESULTS_MAX ? `, the best ${RESULTS_MAX} of them here` : ''
  results.querySelector('p').textContent =
    found.length === 0 ? 'Nothing found' : `${found.length} found${more}`
  results.hidden = false
}

query.addEventListener('focus', () => void sections(), { once: true })
query.addEventListener('input', () => void search())
results.addEventListener('click', (event) => {
  if (event.target.closest('a')) results.hidden = true
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea')
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    query.focus()
  } else if (event.key === 'Escape') results.hidden = true
  else if (event.key === 'Enter' && event.target === query) list.querySelector('a')?.click()
})
