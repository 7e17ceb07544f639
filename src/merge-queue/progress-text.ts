// The progress of an entry in words.
import { type EntryProgress, type Eta, middleOf, type WaitReason } from './progress.ts'
import { pauseDetails } from './words.ts'

/** How a text is written: as plain text, or as Markdown. */
interface TextStyle {
  code: (text: string) => string
  link: (name: string, url: string) => string
}

export const plainStyle: TextStyle = { code: (text) => text, link: (name, url) => `${name} ${url}` }

/** Links only an http(s) URL without characters that would end the link. */
export const markdownStyle: TextStyle = {
  code: (text) => `\`${text.replaceAll('`', '')}\``,
  link: (name, url) => (/^https?:\/\/[^\s()<>\\]+$/.test(url) ? `[${name}](${url})` : name),
}

/** `Position 3 of 7. Testing with !12 and !15 on main@1a2b3c4d (pipeline). About 14:05 UTC. Waiting for: …` */
export function progressText(progress: EntryProgress, target: string, now: number, style = plainStyle): string {
  const { position, of, build, eta, waitsFor, paused } = progress
  return [
    `Position ${position} of ${of}.`,
    ...(build === undefined ? [] : [buildText(build, target, style)]),
    ...(eta === undefined ? [] : [etaText(eta, now)]),
    ...(paused === undefined ? [] : [`The queue is paused: ${pauseDetails(paused, style.code)}.`]),
    ...(waitsFor.length === 0 ? [] : [`Waiting for: ${waitText(waitsFor)}.`]),
  ].join(' ')
}

function buildText(
  { others, base, link, hasPipeline }: NonNullable<EntryProgress['build']>,
  target: string,
  style: TextStyle,
) {
  const on = base === undefined ? target : `${target}@${base.slice(0, 8)}`
  const pipeline = link === undefined ? '' : ` (${style.link('pipeline', link)})`
  const what = `${others.length === 0 ? '' : ` with ${namesText(others)}`} on ${style.code(on)}`
  return hasPipeline ? `Testing${what}${pipeline}.` : `Its build${what} waits for a pipeline.`
}

const mostNamed = 10

/** `!1, !2 and !3`. */
function namesText(iids: readonly number[]): string {
  const named = iids.slice(0, iids.length > mostNamed ? mostNamed : -1).map((iid) => `!${iid}`)
  const last = iids.length > mostNamed ? `${iids.length - mostNamed} more` : `!${iids.at(-1)}`
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`
}

/** The time of day, with the date if that is another one. */
export function etaText(eta: Eta, now: number): string {
  const at = new Date(Math.ceil(Math.max(now, middleOf(eta)) / 60_000) * 60_000).toISOString()
  const isToday = at.slice(0, 10) === new Date(now).toISOString().slice(0, 10)
  return `About ${isToday ? `${at.slice(11, 16)} UTC` : timeText(at)}.`
}

export const waitText = (reasons: readonly WaitReason[]) => reasons.map(reasonText).join('; ')

/** One reason in words, such as `its turn`. */
export function reasonText(reason: WaitReason): string {
  switch (reason.is) {
    case 'frozen':
      return [
        reason.until === undefined ? 'the end of a freeze' : `freeze until ${timeText(reason.until)}`,
        ...(reason.because === undefined ? [] : [`(${reason.because})`]),
      ].join(' ')
    case 'conflict':
      return `${namesText(reason.with)}, which it conflicts with`
    case 'turn':
      return reason.first === true ? 'its turn: an operator moved it to the front' : 'its turn'
    case 'builds_before':
      return 'the builds before it; its own is green'
    default:
      return reason satisfies never
  }
}

/** `Mon 2026-11-30 09:00 UTC`. */
function timeText(iso: string): string {
  const day = new Date(iso).toUTCString().slice(0, 3)
  return `${day} ${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
