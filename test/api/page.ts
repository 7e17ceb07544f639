// The API page, which the contract follows, where it is at hand beside the project.
import { existsSync, readFileSync } from 'node:fs'

const file = new URL('../../../shared/api-v4.md', import.meta.url)

/** Undefined in a checkout that stands alone. */
export const page: string | undefined = existsSync(file) ? readFileSync(file, 'utf8') : undefined

/** Each `METHOD /path` of §4's tables once: abbreviated paths in full, `/star, /unstar` as two, without queries. */
export function routesOfPage(text: string): string[] {
  const endpoints = text.slice(text.indexOf('\n## 4.'), text.indexOf('\n## 5.'))
  const rows = endpoints.matchAll(/^\| (GET|POST|PUT|DELETE) \| ([^|]+?) \|/gm)
  const routes = [...rows].flatMap(([, method, cell]) => {
    const [first = '', ...others] = (cell ?? '').split(', ')
    const siblings = others.map((each) => first.slice(0, first.lastIndexOf('/')) + each)
    return [first, ...siblings].map((path) => `${method} ${fullPath(path)}`)
  })
  return [...new Set(routes)]
}

function fullPath(path: string): string {
  return path.replace(/\?.*$/, '').replace('.../:merge_request_iid', '/projects/:id/merge_requests/:merge_request_iid')
}

/** The field names in the table of one section of §2, such as `2.4`. */
export function fieldsOfPage(text: string, section: string): string[] {
  const start = text.indexOf(`\n### ${section} `)
  const rows = text.slice(start, text.indexOf('\n### ', start + 1)).matchAll(/^\| ([a-z_, ]+) \| [^|]+ \| [^|]*\|$/gm)
  return [...rows].flatMap(([, cell]) => (cell ?? '').split(', '))
}
