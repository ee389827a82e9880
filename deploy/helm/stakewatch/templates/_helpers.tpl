{{- define "stakewatch.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "stakewatch.selector" -}}
app.kubernetes.io/name: stakewatch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "stakewatch.labels" -}}
{{ include "stakewatch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "stakewatch.image" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "stakewatch.probe" -}}
{{- if .of.probes.urlSecretName -}}
exec:
  command: [/nodejs/bin/node, /app/node_modules/stakewatch/bin/healthcheck.cjs, {{ .path }}]
{{- else -}}
httpGet:
  path: /-/{{ .path }}
  port: http
  scheme: {{ upper .of.serviceMonitor.scheme }}
{{- end }}
{{- end }}

{{- /* Rules or a dashboard. Without symbolic links, as on Windows, git writes a line with the target of each link. */}}
{{- define "stakewatch.file" -}}
{{- $text := .files.Get .path }}
{{- if not (contains "\n" $text) }}
{{- fail (printf "%s has no content: take the chart of a release, or check out with git config core.symlinks true" .path) }}
{{- end }}
{{- $text }}
{{- end }}
