// The one style sheet of the pages: light and dark, and narrow screens.

/** Colours of text have a contrast of at least 4.5 on each background of their theme, colours of bars at least 3. */
export const palettes = {
  light: {
    text: '#1b1f24',
    quiet: '#57606a',
    link: '#0550ae',
    critical: '#b42318',
    warning: '#8a4b00',
    good: '#17663a',
    maintenance: '#0a58ca',
    page: '#f6f8fa',
    card: '#ffffff',
    line: '#d0d7de',
    track: '#d8dee4',
  },
  dark: {
    text: '#e6edf3',
    quiet: '#9aa7b4',
    link: '#7cb7ff',
    critical: '#ff8f85',
    warning: '#f0b35a',
    good: '#6fd08c',
    maintenance: '#6cb0ff',
    page: '#0d1117',
    card: '#161b22',
    line: '#30363d',
    track: '#30363d',
  },
} as const

const variables = (palette: Readonly<Record<string, string>>) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')

export const style = `
:root { color-scheme: light dark; ${variables(palettes.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(palettes.dark)} } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--page); overflow-wrap: break-word; }
header, main, footer { max-width: 80rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 1rem 0 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3, h2.name { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; padding: 0; margin: 0.5rem 0; }
nav a { display: inline-block; padding: 0.25rem 0; }
header > .simulated { font-size: 0.875rem; margin: 0.25rem 0; }
.simulated strong { color: var(--warning); }
.verdict { border: 2px solid var(--quiet); border-left-width: 8px; border-radius: 6px; background: var(--card); padding: 0.6rem 0.9rem; margin: 0.75rem 0; font-size: 1.15rem; overflow-wrap: anywhere; }
.verdict.is-critical { border-color: var(--critical); }
.verdict.is-warning { border-color: var(--warning); }
.verdict.is-good { border-color: var(--good); }
.verdict.is-critical strong { color: var(--critical); }
.verdict.is-good strong { color: var(--good); }
details.rest { margin: 0.75rem 0; }
details.rest > summary { cursor: pointer; font-weight: 600; padding: 0.35rem 0; }
.attention li ul { margin: 0.25rem 0; padding-left: 1.25rem; }
.attention li li { background: none; border: 0; padding: 0.1rem 0; margin: 0; list-style: disc; }
.filters { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; margin: 0.25rem 0; }
.filters a { display: inline-block; padding: 0.25rem 0; }
.search { margin: 0.5rem 0; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.search input, .search button { font: inherit; padding: 0.3rem 0.5rem; border: 1px solid var(--line); border-radius: 4px; background: var(--card); color: var(--text); }
table.rows { background: var(--card); border: 1px solid var(--line); border-radius: 6px; border-collapse: separate; border-spacing: 0; }
table.rows th[scope='row'] .quiet { font-weight: 400; }
svg.day { display: block; width: 100%; min-width: 4.5rem; height: 0.75rem; border-radius: 2px; background: var(--track); }
svg.day .is-good { fill: var(--good); }
svg.day .is-warning { fill: var(--warning); }
svg.day .is-critical { fill: var(--critical); }
svg.day .is-gap { fill: none; }
.narrow { display: none; }
@media (max-width: 40rem) {
  .narrow { display: inline; }
  table.stacked { min-width: 0; }
  table.stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.stacked, table.stacked tbody, table.stacked tr, table.stacked th, table.stacked td { display: block; border: 0; }
  table.stacked tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0 0.75rem; border-bottom: 1px solid var(--line); padding: 0.35rem 0; }
  table.named tr { grid-template-columns: 5rem 1fr; }
  table.stacked th[scope='row'], table.stacked td.failure, table.stacked td[colspan] { grid-column: 1 / -1; }
  table.stacked td, table.stacked th { padding: 0.1rem 0.6rem; }
}
.quiet { color: var(--quiet); }
.small { font-size: 0.875rem; }
.id { overflow-wrap: anywhere; font-size: 0.8125rem; color: var(--quiet); }
.critical, .failure { color: var(--critical); }
.warning { color: var(--warning); }
.good { color: var(--good); }
.maintenance { color: var(--maintenance); }
.state { font-weight: 600; }
.alerts { list-style: none; padding: 0; margin: 0.5rem 0; }
.alerts li { padding: 0.25rem 0; overflow-wrap: anywhere; }
.attention li { background: var(--card); border: 1px solid var(--line); border-left: 5px solid var(--quiet); padding: 0.5rem 0.75rem; margin: 0.375rem 0; border-radius: 4px; }
.attention li.is-critical { border-left-color: var(--critical); }
.attention li.is-maintenance { border-left-color: var(--maintenance); }
.attention li.is-warning { border-left-color: var(--warning); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 0.75rem; align-items: start; }
main > .cards { margin-top: 1.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; min-width: 0; }
dl { margin: 0.5rem 0; }
dt { font-size: 0.8125rem; color: var(--quiet); margin-top: 0.5rem; }
dd { margin: 0; overflow-wrap: anywhere; }
svg.bar { display: block; width: 100%; height: 0.5rem; margin: 0.125rem 0; border-radius: 4px; }
svg.bar .track { fill: var(--track); }
svg.bar .fill { fill: var(--quiet); }
svg.bar .is-good { fill: var(--good); }
svg.bar .is-warning { fill: var(--warning); }
svg.bar .is-critical { fill: var(--critical); }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.scroll:focus-visible, a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
caption { text-align: left; font-size: 0.8125rem; color: var(--quiet); padding: 0.25rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
.opinions { overflow-x: auto; }
.card table { font-size: 0.8125rem; }
.card th, .card td { padding: 0.2rem 0.6rem 0.2rem 0; }
.short { white-space: nowrap; }
th[scope='row'] { font-weight: 600; overflow-wrap: anywhere; }
tbody tr:last-child > * { border-bottom: 0; }
.runbook { max-width: 50rem; }
.runbook li { margin: 0.35rem 0; }
.runbook pre { white-space: pre-wrap; }
code { font-size: 0.9em; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 4px; padding: 0 0.2rem; }
.wide { min-width: 60rem; }
footer { margin-top: 2rem; padding-bottom: 2rem; }
`
