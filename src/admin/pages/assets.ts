// The style sheet and the script of the pages, sent as they are in `assets/`; their address changes with their content, so that browsers may keep them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Router } from 'express'

const types = { 'admin.css': 'text/css; charset=utf-8', 'live.js': 'text/javascript; charset=utf-8' } as const
type Asset = keyof typeof types

const files = (Object.keys(types) as Asset[]).map((name) => {
  const text = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  return { name, text, url: `/admin/assets/${createHash('sha256').update(text).digest('hex').slice(0, 12)}/${name}` }
})

/** Where a page finds it. */
export function assetUrl(name: Asset): string {
  return files.find((each) => each.name === name)?.url ?? ''
}

/** Open to everybody: the page to log in needs them. */
export function assets(): Router {
  const router = Router()
  for (const { name, text, url } of files)
    router.get(url, (_request, response) => {
      response.set({ 'Content-Type': types[name], 'Cache-Control': 'public, max-age=31536000, immutable' }).send(text)
    })
  return router
}
