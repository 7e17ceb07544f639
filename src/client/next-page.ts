// Finds the next page of a list: the Link header, else x-next-page.
import { wholeNumber } from './retry-after.ts'

interface NextPage {
  /** As in the Link header: not yet checked against the configured host. */
  link?: string
  number?: number
  /** The headers mention pages; if they name no next one, the list ends here. */
  hasPageHeaders: boolean
}

/** Never throws. */
export function readNextPage(headers: Headers): NextPage {
  const link = headers.get('link')
  const nextHeader = headers.get('x-next-page')
  const next = link === null ? undefined : findNext(link)
  return {
    link: next,
    number: wholeNumber(nextHeader) ?? (next === undefined ? undefined : pageOf(next)),
    hasPageHeaders: link !== null || nextHeader !== null,
  }
}

function findNext(header: string): string | undefined {
  for (const [, url, parameters] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?next\b/i.test(parameters ?? '')) return url
  }
  return undefined
}

function pageOf(link: string): number | undefined {
  const base = 'http://base.invalid'
  return URL.canParse(link, base) ? wholeNumber(new URL(link, base).searchParams.get('page')) : undefined
}
