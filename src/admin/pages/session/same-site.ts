// Whether a form was submitted from our own page: browsers set these headers, and other sites cannot change them.
import type { Request } from 'express'

/** False without such a header: browsers send one with every form. */
export function isSameOrigin({ headers }: Request, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  // Browsers send it only over TLS and on localhost.
  if (site !== undefined) return site === 'same-origin'
  const origin = hostOf(headers.origin)
  return origin !== undefined && (origin === headers.host || origin === hostOf(publicUrl))
}

function hostOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined
}
