// The page at `/` of bot and sandbox, for browsers and for terminals: what it is, and where to go. It shows no secret.
import type { RequestHandler } from 'express'

interface StartPage {
  title: string
  about: string
  /** An address or a command, and what it is for; an address of a page begins with `/`. */
  places: readonly (readonly [place: string, what: string])[]
}

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:10vh auto;padding:0 1rem}dt{margin-top:.75rem}dd{margin:0}'

/** Answers GET of any path, with 404 if it is not `/`: in HTML if that is preferred, else as text. */
export function startPage(page: StartPage): RequestHandler {
  const [html, text] = [asHtml(page), asText(page)]
  return (request, response) => {
    const isHtml = request.accepts(['text', 'html']) === 'html'
    response
      .status(request.path === '/' ? 200 : 404)
      .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .type(isHtml ? 'html' : 'text')
      .send(isHtml ? html : text)
  }
}

function asText({ title, about, places }: StartPage): string {
  const width = Math.max(...places.map(([place]) => place.length))
  return `${title}\n\n${about}\n\n${places.map(([place, what]) => `  ${place.padEnd(width)}  ${what}\n`).join('')}`
}

function asHtml({ title, about, places }: StartPage): string {
  const terms = places.map(([place, what]) => `<dt>${termOf(escaped(place))}</dt><dd>${escaped(what)}</dd>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${style}</style></head><body><main><h1>${escaped(title)}</h1><p>${escaped(about)}</p><dl>${terms.join('')}</dl></main></body></html>`
}

const termOf = (place: string) => (place.startsWith('/') ? `<a href="${place}">${place}</a>` : `<code>${place}</code>`)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (each) => entities[each] ?? each)

export const botPage = startPage({
  title: 'Bellhop',
  about: 'Bellhop receives web hooks, evaluates the rules of repositories, and labels, approves and merges.',
  places: [
    ['/admin', 'the dashboard; log in with an admin token (BELLHOP_ADMIN_TOKEN)'],
    ['/admin/api/openapi.json', 'the admin API, with an admin token'],
    ['/healthz', 'whether it runs; /readyz whether it accepts deliveries; /metrics for Prometheus'],
    ['/schema.json', 'the JSON Schema of rule files, for editors'],
    ['POST /hooks', 'where web hooks of the hosting service go'],
    ['bellhop doctor', 'checks settings, token, rules and hooks'],
  ],
})

export const sandboxPage = startPage({
  title: 'Bellhop sandbox',
  about:
    'A hosting service for development: API v4 on real git repositories. It has no pages: read projects and merge requests by the API.',
  places: [
    ['GET /api/v4/projects', 'the API; send a token as the header PRIVATE-TOKEN'],
    ['git clone …/GROUP/PROJECT.git', 'any user name, a token as the password'],
    ['bellhop openapi', 'prints every endpoint'],
    ['bellhop serve', 'runs the bot for it: with the settings that the sandbox printed at its start'],
  ],
})
