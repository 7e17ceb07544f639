// Values in texts, whatever they are, by two Markdown readers: never a link, an image, HTML, a mention or a reference.
import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { fillPlaces, harmless } from '../../../src/rules/language/templates.ts'
import { anyText } from '../../any-text.ts'

const visible = (text: string) => text.replaceAll('\u200b', '')
const markdownIt = new MarkdownIt({ html: true, linkify: true })
// As the service: only what names its scheme, or begins with www, is an address.
markdownIt.linkify.set({ fuzzyLink: false, fuzzyEmail: true, fuzzyIP: false })
const renderer = new HtmlRenderer()
const readers: [string, (text: string) => string][] = [
  ['commonmark', (text) => renderer.render(new Parser().parse(text))],
  ['markdown-it', (text) => markdownIt.render(text)],
]

const decoded: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }
/** The texts between the tags, as the service reads them: each by itself. */
const textOf = (html: string) => {
  const plain = html.replace(/<[^>]*>/g, '\n')
  return plain.replace(/&(lt|gt|amp|quot);/g, (_, name: string) => decoded[name] ?? '')
}
/** Tags of formatting, which values may have: as in the merge request itself. */
const formatting =
  /<\/?(?:p|em|strong|s|code|pre|h[1-6]|hr|br|ul|ol|li|blockquote|table|thead|tbody|tr|th|td)(?: (?:class|start|style)="[^"]*")?(?: \/)?>/g
/** GitLab’s references, and what it takes for an address or an emoji. */
const references =
  /@[\p{L}\d_]|[#!$&]\d|[~%]["\p{L}\d_]|GL-\d|\[(?:\[|\^|vulnerability:|issue:|epic:|work_item:)|[a-z]:\/\/|www\.|:[a-z][\w+-]*:|\/[\w.-]+>|&#?\w+;/u

const parts = fc.constantFrom(
  ...'&#64; &#x40; &#X40; &#064 &commat; &amp;#64; &lt; &lt &num; &colon; &lbrack; &Tab;'.split(' '),
  ...'@ # ! ~ % $ & [ ] ( ) < > * _ ` \\ " : / | ^ - ='.split(' '),
  ...'all x 1 12 b script group/app www.evil.example https://evil.example mailto:a@b.example'.split(' '),
  ...'[a](https://evil.example) ![a](/x.png) [a][a] [^1] [[wiki]] [vulnerability:1] :tada: GL-12 GL-'.split(' '),
  ...'<b> </details> --> <https://evil.example> app>'.split(' '),
  ...['[a]: /x', '<a href="/x">', '<!-- ', '\n', '\n\n', '    ', '- ', '\u0000', '\r'],
)
const hostile = fc.oneof(
  fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
  anyText({ maxLength: 40 }),
)
const templates = fc.constantFrom(
  ...['V', '`V`', '**V**', '- V', '> V', '| a | b |\n|---|---|\n| V | V |', 'VV', 'It is V.', '# V', '```\nV\n```'],
)

const expectHarmless = (html: string) => {
  expect(html.replace(formatting, '')).not.toMatch(/<[a-z/!?]/i)
  expect(textOf(html)).not.toMatch(references)
}

describe.each(readers)('read by %s', (_name, render) => {
  it('values are no link, no HTML and no reference', () => {
    fc.assert(
      fc.property(templates, hostile, hostile, (template, one, other) => {
        const values = [one, other]
        const text = fillPlaces(template.replaceAll('V', '{{ v }}'), () => harmless(values.shift() ?? ''))
        expectHarmless(render(text))
      }),
      { numRuns: 200 },
    )
  })
})

it('values are shown as they are, also when they are made harmless again: control characters are left out', () => {
  fc.assert(
    fc.property(hostile, (value) => {
      const kept = value.replace(/\r\n?/g, '\n').replace(/(?![\n\t])\p{Cc}/gu, '')
      expect(visible(harmless(value))).toBe(visible(kept))
      expect(harmless(harmless(value))).toBe(harmless(value))
    }),
  )
})
