// SPDX-License-Identifier: MIT
// Clients that ask again and again on connections that they keep, by Go's net/http: see ask.py.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type task struct {
	Host     string
	Port     int
	Clients  int
	Times    int
	Patience float64 `json:"patience_s"`
	Requests []struct{ Method, Path, Type, Body string }
}

func (t *task) ask(number int) [][]any {
	// What fails is told, but for a GET on a connection that ended before: Go sends that again by itself, as browsers do.
	transport := &http.Transport{MaxConnsPerHost: 1, DisableCompression: true}
	client := http.Client{
		Transport:     transport,
		Timeout:       time.Duration(t.Patience * float64(time.Second)),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	told := [][]any{}
	for index := 0; index < t.Times; index++ {
		one := t.Requests[(number+index)%len(t.Requests)]
		var body io.Reader
		if one.Body != "" {
			body = io.MultiReader(strings.NewReader(one.Body))
		}
		request, _ := http.NewRequest(one.Method, fmt.Sprintf("http://%s:%d%s", t.Host, t.Port, one.Path), body)
		request.ContentLength = int64(len(one.Body))
		if one.Type != "" {
			request.Header.Set("Content-Type", one.Type)
		}
		begun := time.Now()
		said := ""
		response, err := client.Do(request)
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			said = fmt.Sprint(response.StatusCode)
		}
		if err != nil {
			said = err.Error()
		}
		told = append(told, []any{float64(time.Since(begun).Microseconds()) / 1000, said})
	}
	return told
}

func main() {
	var t task
	if err := json.NewDecoder(os.Stdin).Decode(&t); err != nil {
		panic(err)
	}
	told := make([][][]any, t.Clients)
	var all sync.WaitGroup
	for number := range told {
		all.Add(1)
		go func() {
			defer all.Done()
			told[number] = t.ask(number)
		}()
	}
	all.Wait()
	json.NewEncoder(os.Stdout).Encode(told)
}
